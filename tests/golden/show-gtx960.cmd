show gtx960.xml
