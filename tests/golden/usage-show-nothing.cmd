show
